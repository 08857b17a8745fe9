/** Whether the page is being printed: then nothing can be made later, it must be there at once. */
let printing = false;

export function isPrinting(): boolean {
  return printing;
}

export function setPrinting(now: boolean): void {
  printing = now;
}

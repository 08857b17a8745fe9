/** Light or dark: what the system says, unless the reader has chosen. */

export type Theme = "light" | "dark";

const KEY = "sameas-report-theme";

export function currentTheme(): Theme {
  return chosen() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Some browsers keep nothing for files from disk: the choice then ends with the page.
  }
}

function chosen(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null;
  }
}

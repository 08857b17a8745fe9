/** Writes samples into `.build/samples`: `npm run samples`, or `npm run samples -- ordinary`. */
import { SAMPLES, writeSample } from "./samples";

const wanted = process.argv.slice(2);
for (const name of SAMPLES.filter((sample) => wanted.length === 0 || wanted.includes(sample))) {
  const { path, bytes } = writeSample(name);
  console.log(`${path}: ${(bytes / 1e6).toFixed(1)} MB`);
}

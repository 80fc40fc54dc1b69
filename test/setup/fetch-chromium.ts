import { fetchChromium, findChromium } from './chromium.ts';

if (findChromium() === undefined) {
  try {
    fetchChromium();
  } catch {
    console.error('The tests need Chromium, which is not here: install it (Debian: apt-get install chromium) and run them again.');
    process.exit(1);
  }
}

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isExecutable, missingPackages, TOOLS, unpackPackages } from './debian-packages.ts';

const FETCHED = join(TOOLS, 'chromium');
const BINARY = 'usr/lib/chromium/chromium';

export interface Chromium {
  readonly path: string;
  /** Where it finds the libraries and fonts that were unpacked with it. */
  readonly env: Readonly<Record<string, string>>;
}

/** A Chromium that can be run; `undefined` where there is none. */
export function findChromium(): Chromium | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const installed = folders.flatMap((folder) => [join(folder, 'chromium'), join(folder, 'google-chrome')]).find(isExecutable);
  if (installed !== undefined) return { path: installed, env: {} };
  const path = join(FETCHED, BINARY);
  return isExecutable(path) ? { path, env: { LD_LIBRARY_PATH: libraries().join(delimiter), ...fonts() } } : undefined;
}

/** Unpacks Debian's Chromium, its fonts and the libraries that are not here yet, beside the project. Throws where they cannot be had. */
export function fetchChromium(): void {
  unpackPackages('chromium', () => missingPackages('chromium', 'fonts-dejavu-core'));
}

function libraries(): string[] {
  const lib = join(FETCHED, 'usr/lib');
  const machine = readdirSync(lib).filter((folder) => folder.endsWith('-linux-gnu'));
  return machine.flatMap((folder) => [join(lib, folder), join(lib, folder, 'pulseaudio')]);
}

/** Without these a machine that has no fonts of its own shows boxes for letters. */
function fonts(): Record<string, string> {
  const settings = join(FETCHED, 'etc/fonts');
  return { XDG_DATA_HOME: join(FETCHED, 'usr/share'), ...(existsSync(settings) ? { FONTCONFIG_PATH: settings } : {}) };
}

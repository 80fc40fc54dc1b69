import { delimiter, join } from 'node:path';
import { isExecutable, TOOLS, unpackPackages } from './debian-packages.ts';

const FOLDER = 'nats-server';
const BINARY = 'usr/sbin/nats-server';

/** Path of a nats-server that can be run; `undefined` where there is none. */
export function findNatsServer(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.map((folder) => join(folder, 'nats-server')), `/${BINARY}`, join(TOOLS, FOLDER, BINARY)].find(isExecutable);
}

/** Unpacks Debian's package beside the project. Throws where the package cannot be had. */
export function fetchNatsServer(): void {
  unpackPackages(FOLDER, () => ['nats-server']);
}

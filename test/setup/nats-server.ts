import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(ROOT, '.tools');
const FETCHED = join(TOOLS, 'nats-server');
const BINARY = 'usr/sbin/nats-server';

/** Path of a nats-server that can be run; `undefined` where there is none. */
export function findNatsServer(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.map((folder) => join(folder, 'nats-server')), `/${BINARY}`, join(FETCHED, BINARY)].find(isExecutable);
}

/** Unpacks Debian's package beside the project: installing it would start a server. Throws where the package cannot be had. */
export function fetchNatsServer(): void {
  mkdirSync(TOOLS, { recursive: true });
  const work = mkdtempSync(join(TOOLS, 'fetch-'));
  try {
    download(work);
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get downloaded nothing');
    run('dpkg-deb', ['-x', archive, 'unpacked'], work);
    if (!existsSync(join(FETCHED, BINARY))) {
      rmSync(FETCHED, { recursive: true, force: true });
      renameSync(join(work, 'unpacked'), FETCHED);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function download(folder: string): void {
  try {
    run('apt-get', ['download', 'nats-server'], folder);
  } catch {
    run('apt-get', ['update'], folder);
    run('apt-get', ['download', 'nats-server'], folder);
  }
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'pipe' });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

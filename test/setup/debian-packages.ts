import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const TOOLS = join(import.meta.dirname, '../../.tools');

/**
 * Unpacks Debian packages beside the project, into `.tools/<folder>`: installing them would start services and needs root.
 * Throws where they cannot be had.
 *
 * @param names asked for once the lists of packages are there
 */
export function unpackPackages(folder: string, names: () => readonly string[]): void {
  mkdirSync(TOOLS, { recursive: true });
  const work = mkdtempSync(join(TOOLS, 'fetch-'));
  try {
    download(work, names);
    const archives = readdirSync(work).filter((file) => file.endsWith('.deb'));
    if (archives.length === 0) throw new Error('apt-get downloaded nothing');
    for (const archive of archives) run('dpkg-deb', ['-x', archive, 'unpacked'], work);
    if (existsSync(join(TOOLS, folder))) return;
    renameSync(join(work, 'unpacked'), join(TOOLS, folder));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Packages that installing these would bring to this machine, themselves among them. */
export function missingPackages(...names: readonly string[]): string[] {
  const plan = run('apt-get', ['--simulate', '--no-install-recommends', 'install', ...names], TOOLS);
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function download(folder: string, names: () => readonly string[]): void {
  try {
    run('apt-get', ['download', ...names()], folder);
  } catch {
    run('apt-get', ['update'], folder);
    run('apt-get', ['download', ...names()], folder);
  }
}

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8' });
}

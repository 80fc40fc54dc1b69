import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Starts the program, or another one, as its own process. */
export function start(argv: readonly string[], environment: NodeJS.ProcessEnv = {}, program = MAIN) {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...argv], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', said: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.said += text;
  });
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, ...said }));
  return { child: child as ChildProcess, said, ended };
}

/** Runs the program to its end. */
export function ran(argv: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ended> {
  return start(argv, environment).ended;
}

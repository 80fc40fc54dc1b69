import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { resolveSettings, type SettingSources } from '../../src/settings.ts';
import { temporaryFolder } from '../temporary.ts';

const folder = temporaryFolder();
const nothing: SettingSources = { environment: {}, flags: {} };

describe('settings', () => {
  test('have the defaults of the contract', () => {
    expect(resolveSettings(nothing)).toEqual({
      bus: 'embedded',
      state: './.mesh-provisioner',
      httpAnywhere: false,
      play: false,
      router: 'builtin',
      createInputs: false,
      dwellMs: 60_000,
      brakeWindowMs: 3_600_000,
      brakeSettleMs: 600_000,
      wordMs: 900_000,
      holdFaultMs: 2_700_000,
      askRecordMs: 60_000,
      asksOpenMax: 3,
      leaseMs: 10_000,
      registryMs: 3_600_000,
      snapshotMs: 60_000,
      journalAgeMs: 604_800_000,
      journalBytes: 1_073_741_824,
    });
  });

  test('are overruled by the file, that by the environment, and that by flags', () => {
    const file = config('all.yaml', 'dwellMs: 1\nwordMs: 1\nleaseMs: 1\n');
    const environment = { MESH_PROVISIONER_WORD_MS: '2', MESH_PROVISIONER_LEASE_MS: '2', PATH: '/bin' };
    const { dwellMs, wordMs, leaseMs, registryMs } = resolveSettings({ file, environment, flags: { leaseMs: '3' } });
    expect({ dwellMs, wordMs, leaseMs, registryMs }).toEqual({ dwellMs: 1, wordMs: 2, leaseMs: 3, registryMs: 3_600_000 });
  });

  test('are read from JSON too', () => {
    expect(resolveSettings({ ...nothing, file: config('all.json', '{"play": true, "mesh": "here"}') })).toMatchObject({
      play: true,
      mesh: 'here',
    });
  });

  test('of the environment may be true, false or a number', () => {
    const environment = { MESH_PROVISIONER_PLAY: 'true', MESH_PROVISIONER_DWELL_MS: '0', MESH_PROVISIONER_STATE: '7' };
    expect(resolveSettings({ ...nothing, environment })).toMatchObject({ play: true, dwellMs: 0, state: '7' });
  });
});

describe('a mistake in settings is a usage error that says where it is, what was found and what was expected', () => {
  test.each<[string, SettingSources, string]>([
    [
      'a bad value in the environment',
      env({ MESH_PROVISIONER_DWELL_MS: 'soon' }),
      'MESH_PROVISIONER_DWELL_MS: found "soon", expected a whole number of milliseconds, 0 or more',
    ],
    [
      'an unknown name in the environment',
      env({ MESH_PROVISIONER_DWEL_MS: '1' }),
      'MESH_PROVISIONER_DWEL_MS: no such setting; did you mean MESH_PROVISIONER_DWELL_MS?',
    ],
    ['a bad flag', { ...nothing, flags: { router: 'mine' } }, '--router: found "mine", expected builtin or external'],
    [
      'a negative number',
      { ...nothing, flags: { asksOpenMax: '-1' } },
      '--asks-open-max: found "-1", expected a whole number of asks, 1 or more',
    ],
    [
      'a bus of another kind',
      { ...nothing, flags: { bus: 'redis://x' } },
      '--bus: found "redis://x", expected embedded or nats://HOST:PORT',
    ],
    [
      'a bad value in the file',
      inFile('bad.yaml', 'play: yes\ndwellMs: soon\n'),
      'bad.yaml:1:7: play: found "yes", expected true or false\n',
    ],
    [
      'two mistakes in the file',
      inFile('bad2.yaml', 'play: true\ndwellMs: soon\n'),
      'bad2.yaml:2:10: dwellMs: found "soon", expected a whole number of milliseconds, 0 or more',
    ],
    ['an unknown name in the file', inFile('unknown.yaml', '\n  dwelMs: 1\n'), 'unknown.yaml:2:3: found "dwelMs", expected bus, state, '],
    ['a near name in the file', inFile('near.yaml', 'dwelMs: 1\n'), '; did you mean dwellMs?'],
    ['a file that is not there', { ...nothing, file: join(folder, 'none.yaml') }, 'none.yaml: cannot be read'],
  ])('%s', (_, sources, says) => {
    const failure = failureOf(() => resolveSettings(sources));
    expect(failure.exitCode).toBe(2);
    expect(failure.message).toContain(says);
  });

  test('and all of them are said at once', () => {
    const sources = {
      ...inFile('many.yaml', 'dwellMs: soon\n'),
      environment: { MESH_PROVISIONER_PLAY: 'maybe' },
      flags: { router: 'mine' },
    };
    expect(failureOf(() => resolveSettings(sources)).message.split('\n')).toHaveLength(3);
  });
});

function env(environment: Record<string, string>): SettingSources {
  return { ...nothing, environment };
}

function inFile(name: string, text: string): SettingSources {
  return { ...nothing, file: config(name, text) };
}

function config(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function failureOf(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

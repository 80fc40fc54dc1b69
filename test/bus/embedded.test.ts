import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedBus } from '../../src/bus/embedded/embedded-bus.ts';
import { busAcceptance } from './acceptance.ts';
import { embeddedBus, memoryBus } from './buses.ts';

busAcceptance('embedded', embeddedBus);
busAcceptance('memory', memoryBus);

describe('a state folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bus-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('gives everything back when it is opened again, ids too', async () => {
    const first = await EmbeddedBus.open(folder);
    await first.createBucket('b', { history: 1 });
    await first.put('b', 'a', '1', { id: '1.1', epoch: 1 });
    const before = await first.identity('b');
    await first.close();
    const again = await EmbeddedBus.open(folder);
    expect(await again.identity('b')).toEqual(before);
    expect(await again.get('b', 'a')).toEqual({ key: 'a', revision: 1, text: '1', id: '1.1', epoch: 1 });
    expect(await again.put('b', 'a', '2', { id: '1.1', epoch: 1 })).toMatchObject({ duplicate: true });
    await again.close();
  });

  test('is refused to a second one, under whatever name, and free again after a close (E4)', async () => {
    const bus = await EmbeddedBus.open(folder);
    await symlink(folder, `${folder}-link`);
    await expect(EmbeddedBus.open(folder)).rejects.toMatchObject({ code: 'in-use', message: expect.stringContaining(folder) });
    await expect(EmbeddedBus.open(`${folder}-link`)).rejects.toMatchObject({ code: 'in-use' });
    await rm(`${folder}-link`);
    await bus.close();
    await (await EmbeddedBus.open(folder)).close();
  });

  test('is free, with all that was acknowledged, once its process was killed (E3)', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', resolve(import.meta.dirname, 'embedded-writer.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = '';
    child.stdout.on('data', (text: Buffer) => {
      acknowledged += text;
      if (acknowledged.split('\n').length > 50) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const bus = await EmbeddedBus.open(folder);
    for (const line of acknowledged.split('\n').slice(0, -1)) {
      const [key, revision] = line.split(' ');
      expect(await bus.get('b', key!)).toMatchObject({ revision: Number(revision) });
    }
    await bus.close();
  });

  test('that cannot be made says which', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(EmbeddedBus.open(join(file, 'state'))).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining(file) });
  });

  test('loses its watches when a bucket goes and when it closes', async () => {
    const bus = await EmbeddedBus.open(folder);
    for (const bucket of ['b', 'c']) await bus.createBucket(bucket, { history: 1 });
    const [gone, closed] = [(await bus.watch('b'))[Symbol.asyncIterator]().next(), (await bus.watch('c'))[Symbol.asyncIterator]().next()];
    await bus.destroyBucket('b');
    await expect(gone).rejects.toMatchObject({ code: 'watch-lost' });
    await Promise.all([expect(closed).rejects.toMatchObject({ code: 'watch-lost' }), bus.close()]);
    await expect(bus.identity('c')).rejects.toMatchObject({ code: 'unreachable' });
  });
});

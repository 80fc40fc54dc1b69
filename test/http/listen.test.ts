import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { isPortTaken, listen } from '../../src/http/listen.ts';

const app = new Hono().get('/', (context) => context.text('here'));

test('port 0 is a free one, and the address is where it answers', async () => {
  const { url, close } = await listen(app, '127.0.0.1', 0);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(url)).text()).toBe('here');
  await close();
});

test('a port in use is said, with what to do', async () => {
  const { url, close } = await listen(app, '127.0.0.1', 0);
  const error = await listen(app, '127.0.0.1', Number(new URL(url).port)).catch((cause: Error) => cause);
  expect(isPortTaken(error)).toBe(true);
  expect((error as Error).message).toMatch(/^port \d+ on 127\.0\.0\.1 is in use by another process: .*--http/);
  await close();
});

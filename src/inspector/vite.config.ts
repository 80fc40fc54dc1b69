import { join } from 'node:path';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [preact()],
  build: { outDir: join(import.meta.dirname, '../../dist/inspector'), emptyOutDir: true, modulePreload: { polyfill: false } },
  logLevel: 'warn',
});

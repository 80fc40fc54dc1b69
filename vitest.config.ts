import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'machines', include: ['test/machines/**/*.test.ts'], setupFiles: ['test/setup/pure.ts'] } },
      { extends: true, test: { name: 'seat', include: ['test/**/*.test.ts'], exclude: ['test/machines/**'] } },
    ],
  },
});

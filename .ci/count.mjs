import { readFileSync } from 'node:fs';

/** Prints the count of a vitest JSON report; a file that could not be loaded counts as one failed. Fails where anything did, or nothing ran. */
const text = readFileSync(process.argv[2], 'utf8');
const { testResults = [] } = text === '' ? {} : JSON.parse(text);
const count = { passed: 0, failed: 0, skipped: 0 };

for (const { status, assertionResults } of testResults) {
  for (const test of assertionResults) {
    if (test.status === 'passed') count.passed += 1;
    else if (test.status === 'failed') count.failed += 1;
    else count.skipped += 1;
  }
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) count.failed += 1;
}
if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);

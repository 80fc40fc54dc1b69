import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeSetting, settingNames } from '../../src/settings.ts';

const readme = readFileSync('README.md', 'utf8');

test.each(settingNames)('the README says what the setting %s is', (name) => {
  const { environment, flag, fallback, says } = describeSetting(name);
  const standing = fallback === undefined || fallback === false ? '–' : `\`${fallback}\``;
  expect(readme).toContain(`| \`${name}\` | \`${environment}\` | \`${flag}\` | ${standing} | ${says} |`);
});

/** A line that stands for itself: a remark or an empty line. */
export interface Remark {
  readonly remark: string;
}
/** A command, and what was recorded of what it led to. */
export interface Told {
  readonly command: string;
  readonly outcome: readonly string[];
}
export type Line = Remark | Told;

const INDENT = '    ';

/**
 * A story as it is kept: commands at the margin, what each led to indented beneath it, remarks behind `#`.
 * Throws where an outcome stands before any command.
 */
export function parse(text: string): Line[] {
  const lines: (Remark | { command: string; outcome: string[] })[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const last = lines.at(-1);
    if (!line.startsWith(INDENT)) lines.push(line === '' || line.startsWith('#') ? { remark: line } : { command: line, outcome: [] });
    else if (last !== undefined && 'command' in last) last.outcome.push(line.slice(INDENT.length));
    else throw new Error(`an outcome without a command: "${line}"`);
  }
  return lines;
}

export function render(lines: readonly Line[]): string {
  const text = lines.flatMap((line) => ('remark' in line ? [line.remark] : [line.command, ...line.outcome.map((one) => INDENT + one)]));
  return `${text.join('\n')}\n`;
}

/** Where a command writes: data to one place, all else to the other. */
export interface Terminal {
  /** One line, or several, of data. */
  out(text: string): void;
  /** All else: what is being done, what went wrong. */
  say(text: string): void;
  readonly paint: Paint;
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'magenta';
export type Paint = (style: Style, text: string) => string;

const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35 };

export const plain: Paint = (_, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m`;

/** Columns under headings, as wide as they need to be; the last runs on. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [paint('dim', line(headings)), ...rows.map(line)].join('\n');
}

/** `2 asks`, `1 ask`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** How long ago a time of the wire was: `3 min ago`. */
export function ago(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

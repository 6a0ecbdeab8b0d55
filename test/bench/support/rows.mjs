/** Rows of the bench's table: statistics, verdicts, and how they are printed. */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

/** `goal` is '>= 0.7' or '<= 15'; the verdict compares `value` with it. Without a goal there is none. */
export function row({ figure, measured, baseline = '', value, unit = 'x', goal = '', note = '' }) {
  const [, sign, bound] = /^([<>]=) ([\d.]+)/.exec(goal) ?? [];
  const isMet = sign && (sign === '>=' ? value >= Number(bound) : value <= Number(bound));
  return { figure, measured, baseline, value, unit, goal, verdict: sign ? (isMet ? 'met' : 'not met') : '', note };
}

const digits = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

export function table(rows, machine) {
  const lines = [
    ['figure', 'measured', 'baseline', 'result', 'goal', 'verdict', 'note'],
    ...rows.map((one) => [
      one.figure,
      one.measured ?? '',
      one.baseline ?? '',
      one.value === undefined ? '' : `${digits(one.value)} ${one.unit}`,
      one.goal ?? '',
      one.verdict ?? '',
      one.note ?? '',
    ]),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`Measured on ${machine}`, '', text(lines[0]), rule, ...lines.slice(1).map(text)].join('\n');
}

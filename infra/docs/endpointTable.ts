import { type FunctionRow, manifest } from '../manifest.ts'

/** The table of `functions/README.md`: every function of the manifest, how it is reached, who may call it, how often and what for. */
export function renderEndpoints(): string {
  return [
    '| function | reached at | caller | limit | summary |',
    '|---|---|---|---|---|',
    ...manifest.map((row) => `| ${cellsOf(row).join(' | ')} |`),
  ].join('\n')
}

function cellsOf(row: FunctionRow): string[] {
  const { name, caller, rateLimit, summary } = row
  return [`[\`${name}\`](${name})`, reachedAt(row), caller, `${rateLimit?.requestsPerMinute ?? '–'}`, summary]
}

function reachedAt({ trigger }: FunctionRow): string {
  switch (trigger.kind) {
    case 'http':
      return `\`${trigger.method} ${trigger.path}\``
    case 'unmatched':
      return 'any other path'
    case 'url':
      return 'a Lambda URL of its own'
    case 'schedule':
      return `every ${trigger.every}`
    default:
      return trigger satisfies never
  }
}

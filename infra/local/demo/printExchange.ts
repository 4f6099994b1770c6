import { styleText } from 'node:util'
import type { ApiExchange, ApiRequest } from '../localClient.ts'

const WIDTH = 110
const shownHeaders = ['etag', 'location', 'retry-after'] as const

/**
 * A request and its answer as the demo prints them: request line or status, the headers that matter, and the whole body. It leaves out
 * the token, but masks no secrets: they all belong to the emulators.
 */
export function printExchange({ method, path, headers = {}, body }: ApiRequest, answer: ApiExchange): string {
  const shown = shownHeaders.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [headerLine(name, value)]
  })
  return [
    `  ${styleText('cyan', method)} ${path}`,
    ...Object.entries(headers).map(([name, value]) => headerLine(name, value)),
    ...(body === undefined ? [] : [`    ${wrapJson(body, '    ')}`]),
    `  ${styleText(answer.status < 400 ? 'green' : 'yellow', String(answer.status))}`,
    ...shown,
    ...(answer.body === null ? [] : [`    ${wrapJson(answer.body, '    ')}`]),
  ].join('\n')
}

function headerLine(name: string, value: string): string {
  return styleText('dim', `    ${name}: ${value}`)
}

/** JSON on a single line if it fits, or else a line for each member, indented by two more than `indent`. Never breaks strings. */
function wrapJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((member) => wrapJson(member, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${wrapJson(member, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`
}

import { styleText } from 'node:util'

/** Writes a line for each request, never with a header, a query or a body. */
export interface RequestLog {
  answered(method: string, path: string, status: number, milliseconds: number): void
  /** A function threw or failed to load. The caller received a plain 500. */
  failed(method: string, url: string, error: unknown): void
  /** A source file has changed. The request that found out runs it. */
  changed(file: string): void
}

type Style = 'green' | 'cyan' | 'yellow' | 'red'

/** Writes to standard output, in color if it is a terminal. */
export function consoleRequestLog(): RequestLog {
  return {
    answered(method, path, status, milliseconds) {
      const code = styleText(styleOf(status), String(status))
      console.log(`${method.padEnd(6)} ${path} ${code} ${styleText('dim', `${Math.round(milliseconds)} ms`)}`)
    },
    failed(method, url, error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      console.error(styleText('red', `${method} ${url.split('?')[0]} failed: ${reason}`))
    },
    changed(file) {
      console.log(styleText('dim', `${file} changed: this request runs it`))
    },
  }
}

/** For tests, and for commands that print their own output. */
export const silentRequestLog: RequestLog = {
  answered: () => {},
  failed: () => {},
  changed: () => {},
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

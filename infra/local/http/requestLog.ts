import { styleText } from 'node:util'

/** Writes a line for each request, never with a header, a query or a body. */
export interface RequestLog {
  answered(method: string, path: string, status: number, milliseconds: number): void
  /** A function threw or failed to load. The caller received a plain 500. */
  failed(method: string, url: string, error: unknown): void
  /** A source file changed. The next request runs it. */
  changed(file: string): void
  /** Changes of source files need a restart. */
  unwatched(error: unknown): void
}

type Style = 'green' | 'cyan' | 'yellow' | 'red'

/** Reports a file only once within this time: editors write a file in several steps. */
const CHANGE_MS = 200

/** Writes to standard output, in color if it is a terminal. */
export function consoleRequestLog(): RequestLog {
  const reported = new Map<string, number>()
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
      const now = performance.now()
      if (now - (reported.get(file) ?? Number.NEGATIVE_INFINITY) > CHANGE_MS)
        console.log(styleText('dim', `${file} changed: the next request runs it`))
      reported.set(file, now)
    },
    unwatched(error) {
      const reason = error instanceof Error ? error.message : String(error)
      console.error(styleText('yellow', `Changes to files need a restart, for they cannot be watched: ${reason}`))
    },
  }
}

/** For tests, and for commands that print their own output. */
export const silentRequestLog: RequestLog = {
  answered: () => {},
  failed: () => {},
  changed: () => {},
  unwatched: () => {},
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

import { readFile } from 'node:fs/promises'
import { words } from '../params/words.ts'

/** A file of the page, ready to send. */
export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
/** The media type of a file, by its ending. */
export function contentType(name: string): string {
  return types[name.split('.')[1] ?? ''] ?? 'text/plain'
}

const folder = new URL('../page/', import.meta.url)

/** The files of the page. */
export const files: readonly string[] = words(
  'page.html theme.css page.css controls.css tables.css timeline.css icon.svg',
  'page.js controls.js dom.js faults.js feed.js format.js inspector.js model.js panels.js story.js tables.js timeline.js',
)

/**
 * Answers `GET` under `/_emulator` if it asks for the page or a file of it, otherwise undefined. `path` is what follows the prefix: `/` is
 * the page, and the empty path redirects to it, because the page names its files and controls relative to `/_emulator/`.
 */
export async function servePage(path: string): Promise<PageAnswer | undefined> {
  if (path === '') return { status: 308, headers: { location: '/_emulator/' }, body: '' }
  const name = path === '/' ? 'page.html' : path.slice(1)
  if (!files.includes(name)) return undefined
  return {
    status: 200,
    headers: {
      'content-type': contentType(name),
      'content-security-policy': "default-src 'self'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: await readFile(new URL(name, folder), 'utf8'),
  }
}

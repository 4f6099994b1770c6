import { readFile } from 'node:fs/promises'

/** A file of the page, ready to send. */
export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const files: Record<string, string> = {
  'page.html': 'text/html; charset=utf-8',
  'theme.css': style,
  'page.css': style,
  'controls.css': style,
  'tables.css': style,
  'timeline.css': style,
  'page.js': script,
  'controls.js': script,
  'dom.js': script,
  'faults.js': script,
  'format.js': script,
  'inspector.js': script,
  'model.js': script,
  'panels.js': script,
  'tables.js': script,
  'timeline.js': script,
  'icon.svg': 'image/svg+xml',
}

/**
 * Answers `GET` under `/_emulator` if it asks for the page or a file of it, otherwise undefined. `path` is what follows the prefix: `/` is
 * the page, and the empty path redirects to it, because the page names its files and controls relative to `/_emulator/`.
 */
export async function servePage(path: string): Promise<PageAnswer | undefined> {
  if (path === '') return { status: 308, headers: { location: '/_emulator/' }, body: '' }
  const name = path === '/' ? 'page.html' : path.slice(1)
  const type = Object.hasOwn(files, name) ? files[name] : undefined
  if (type === undefined) return undefined
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-security-policy': "default-src 'self'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: await readFile(new URL(name, import.meta.url), 'utf8'),
  }
}

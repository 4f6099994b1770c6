import { statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Closable } from './resourceScope.ts'

const FOLDERS = ['functions', 'lib'] as const
const MARK = /\?v=\d+$/

interface Watched {
  version: number
  /** Compares the files that were imported with how they were then, and counts `version` if any differs. */
  compare(): void
}

/** Undefined if nothing is watched: modules are then imported once, as on Lambda. */
let watched: Watched | undefined

/** The URL to import a function's module from. It changes with every change to a source file that was imported. */
export function currentVersion(url: string): string {
  watched?.compare()
  return watched === undefined ? url : `${url}?v=${watched.version}`
}

interface SourceListener {
  /** A file has changed: this call of a function, and each after it, runs the change. `file` is relative to the root. */
  changed(file: string): void
}

/**
 * From now on, functions imported by `currentVersion` get `functions/` and `lib/` below `root` as they are at that moment. It compares
 * files rather than watching them: a watch ends when an editor replaces the file by another. A module passes its version on to its
 * imports, so that an import never mixes two versions. All versions share packages. Earlier versions remain in memory until the process
 * ends. A process may have only a single watch at a time.
 */
export function watchSources(root: URL, { changed }: SourceListener): Closable {
  const folders = FOLDERS.map((name) => new URL(`${name}/`, root).href)
  const isSource = (url: string) => folders.some((folder) => url.startsWith(folder))
  /** The stamp of each imported source, by its path. A source that was missing has one too. */
  const stamps = new Map<string, string>()
  const own: Watched = { version: 0, compare }
  watched = own

  function remember(url: string): void {
    const path = fileURLToPath(url)
    // Stamped before it is read: a change in between is found by the next comparison.
    if (!stamps.has(path)) stamps.set(path, stampOf(path))
  }

  function compare(): void {
    const before = [...stamps]
    for (const [path, stamp] of before) {
      const now = stampOf(path)
      if (now === stamp) continue
      stamps.set(path, now)
      own.version += 1
      changed(relative(fileURLToPath(root), path))
    }
  }

  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const [mark = ''] = MARK.exec(context.parentURL ?? '') ?? []
      if (mark !== '' && specifier.startsWith('.')) {
        const url = new URL(specifier, context.parentURL).href
        if (isSource(url)) remember(url)
      }
      const resolved = next(specifier, context)
      if (!isSource(resolved.url)) return resolved
      if (MARK.test(resolved.url)) remember(resolved.url)
      else if (mark !== '') return { ...resolved, url: resolved.url + mark }
      return resolved
    },
  })
  return {
    async close() {
      // Keeps the version: if a request is still running when the stack closes, it uses the loaded modules.
      own.compare = () => {}
      hooks.deregister()
    },
  }
}

/** Differs when the file was written, replaced, made or removed. */
function stampOf(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return [mtimeMs, ctimeMs, size, ino].join(' ')
}

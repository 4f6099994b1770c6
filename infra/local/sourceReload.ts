import { watch } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Closable } from './resourceScope.ts'

const FOLDERS = ['functions', 'lib'] as const
const MARK = /\?v=\d+$/

/** Undefined if nothing is watched: modules are then imported once, as on Lambda. */
let version: number | undefined

/** The URL to import a function's module from. It changes with every change to a source file. */
export function currentVersion(url: string): string {
  return version === undefined ? url : `${url}?v=${version}`
}

interface SourceListener {
  /** A file changed: the next call of a function runs it. `file` is relative to the root. */
  changed(file: string): void
  /** This machine cannot watch files: changes need a restart. */
  unwatched(error: unknown): void
}

/**
 * From now on, functions imported by `currentVersion` get `functions/` and `lib/` below `root` as of the last change. A
 * module passes its version on to its imports, so that an import never mixes two versions. All versions share packages. Earlier
 * versions remain in memory until the process ends. A process may have only a single watch at a time.
 */
export function watchSources(root: URL, { changed, unwatched }: SourceListener): Closable {
  const folders = FOLDERS.map((name) => ({ name, url: new URL(`${name}/`, root).href }))
  const isSource = (url: string) => folders.some((folder) => url.startsWith(folder.url))
  version = 0

  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const [mark = ''] = MARK.exec(context.parentURL ?? '') ?? []
      if (mark === '' || MARK.test(resolved.url) || !isSource(resolved.url)) return resolved
      return { ...resolved, url: resolved.url + mark }
    },
  })

  // Counts at every event, without delay: if a request comes between the two halves of a write, another version follows.
  const watchers = folders.flatMap(({ name, url }) => {
    try {
      const watcher = watch(fileURLToPath(url), { recursive: true }, (_event, file) => {
        if (file === null || !/\.(ts|json)$/.test(file)) return
        version = (version ?? 0) + 1
        changed(join(name, file))
      })
      return [watcher.on('error', unwatched)]
    } catch (error) {
      unwatched(error)
      return []
    }
  })
  return {
    async close() {
      for (const watcher of watchers) watcher.close()
      // Keeps the version: if a request is still running when the stack closes, it uses the loaded modules.
      hooks.deregister()
    },
  }
}

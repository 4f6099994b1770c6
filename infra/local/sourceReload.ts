import { watch } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Closable } from './resourceScope.ts'

const FOLDERS = ['functions', 'lib'] as const
const MARK = /\?v=\d+$/

/** Undefined where nothing was watched: modules are then imported once, as on Lambda. */
let version: number | undefined

/** The URL under which a module of a function is imported: another one after every change to a source file. */
export function currentVersion(url: string): string {
  return version === undefined ? url : `${url}?v=${version}`
}

/** What a change to the sources calls. */
interface SourceListener {
  /** A file changed, and the next call of a function runs it. `file` is relative to the root. */
  changed(file: string): void
  /** This machine cannot watch files; changes need a restart. */
  unwatched(error: unknown): void
}

/**
 * From now on a function imported as `currentVersion` gets `functions/` and `lib/` below `root` as they were at the last change. A
 * module passes its version on to what it imports, so that an import never mixes two; packages are shared by all. Earlier
 * versions remain in memory until the process ends. Only one at a time in a process.
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

  // Counted at once, at every event: a request that comes between the two halves of a write is followed by another version.
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
      // The version remains: a request that is still served while the stack closes runs the modules that are loaded.
      hooks.deregister()
    },
  }
}

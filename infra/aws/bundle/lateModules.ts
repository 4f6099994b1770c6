import { basename } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** Our own modules that a function loads when it first uses them, by an `import()`: each is a part of the bundle, a file beside the handler. */
export const lateModules = { xray: 'lib/adapters/xray/callRecorder.ts' } as const

/** Leaves an `import()` of one of them as an import of its file. A static import would put it into the handler. */
export const keepLateModules: Plugin = {
  name: 'late-modules',
  setup(build) {
    for (const [part, file] of Object.entries(lateModules)) {
      build.onResolve({ filter: new RegExp(`/${basename(file)}$`) }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${part}.mjs`, external: true } : undefined,
      )
    }
  },
}

/** The files of these that a bundle imports. */
export function lateModulesOf({ imports }: Metafile['outputs'][string]): readonly string[] {
  const files = Object.keys(lateModules).map((part) => `${part}.mjs`)
  return files.filter((file) => imports.some(({ path, external }) => external && basename(path) === file))
}

/** esbuild's record of the files, with an import of a part as one of its module. */
export function linkedModules(inputs: Metafile['inputs']): Metafile['inputs'] {
  const modules = new Map<string, string>(
    Object.entries(lateModules).map(([part, file]) => [`./${part}.mjs`, file] as const),
  )
  const link = <Import extends { path: string }>(one: Import) => {
    const path = modules.get(one.path)
    return path === undefined ? one : { ...one, path, external: false }
  }
  return Object.fromEntries(
    Object.entries(inputs).map(([file, input]) => [file, { ...input, imports: input.imports.map(link) }] as const),
  )
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..', '..', '..')
const latePart = join(import.meta.dirname, 'latePart.ts')

/** The packages that a function loads when it first uses them, by the part of its bundle that they are in. */
const packages = {
  '@aws-sdk/client-dynamodb': 'dynamodb',
  '@aws-sdk/lib-dynamodb': 'dynamodb',
  '@aws-sdk/util-dynamodb': 'dynamodb',
  '@aws-sdk/client-kms': 'kms',
  '@aws-sdk/client-secrets-manager': 'secretsmanager',
  '@aws-sdk/client-sesv2': 'ses',
  stripe: 'stripe',
} as const

type PackageName = keyof typeof packages
export type Part = (typeof packages)[PackageName]

export const parts: readonly Part[] = [...new Set(Object.values(packages))]
const names = Object.keys(packages)
const filter = new RegExp(`^(${names.join('|')})$`)

function isPackage(name: string): name is PackageName {
  return Object.hasOwn(packages, name)
}

/** What our code imports of each of these packages. */
function importedNames(): ReadonlyMap<PackageName, ReadonlySet<string>> {
  const imported = new Map<PackageName, Set<string>>()
  for (const file of globSync(['lib/**/*.ts', 'infra/aws/constructs/data/tokenPublicKey/*.ts'], { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, whole, listed = '', name = ''] of text.matchAll(/^import (?:(\w+)|\{([^}]*)\}) from '([^']+)'/gm)) {
      if (!isPackage(name)) continue
      const all = imported.get(name) ?? new Set()
      imported.set(name, all)
      if (whole !== undefined) all.add('default')
      for (const one of listed.split(',').map((item) => item.trim())) if (/^\w+$/.test(one)) all.add(one)
    }
  }
  return imported
}

/** Puts in place of these packages what loads their part when it is used. */
export const lateParts: Plugin = {
  name: 'late-parts',
  setup(build) {
    const imported = importedNames()
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'late', sideEffects: false }))
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      if (!isPackage(path)) return undefined
      const lines = [...(imported.get(path) ?? [])].map(
        // The names of some are words of the language.
        (name) => `const late_${name} = /* @__PURE__ */ late('${name}'); export { late_${name} as ${name} }`,
      )
      const late = `const late = /* @__PURE__ */ latePart('./${packages[path]}.mjs', import.meta.url)`
      return {
        contents: [`import { latePart } from ${JSON.stringify(latePart)}`, late, ...lines].join('\n'),
        resolveDir: root,
      }
    })
  },
}

/** Makes `part:<name>` a module of all that our code imports of the packages in this part. */
export const partEntries: Plugin = {
  name: 'part-entries',
  setup(build) {
    const imported = importedNames()
    build.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }))
    build.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
      contents: [...imported]
        .filter(([name]) => packages[name] === path)
        .map(([name, some]) => `export { ${[...some].join()} } from '${name}'`)
        .join('\n'),
      resolveDir: root,
    }))
  },
}

/** The parts that a bundle loads, by esbuild's record of what is in it. */
export function partsOf({ inputs }: Metafile['outputs'][string]): readonly Part[] {
  const used = Object.entries(inputs).filter(
    ([file, { bytesInOutput }]) => bytesInOutput > 0 && file.startsWith('late:'),
  )
  return parts.filter((part) => used.some(([file]) => packageOf(file.slice('late:'.length)) === part))
}

/** esbuild's record of the files, with an import from what replaces a package to the part that it loads. */
export function linked(inputs: Metafile['inputs']): Metafile['inputs'] {
  const links = names.flatMap((name) => {
    const input = inputs[`late:${name}`]
    const part = packageOf(name)
    if (input === undefined || part === undefined) return []
    const imports = [...input.imports, { path: `part:${part}`, kind: 'require-call' as const }]
    return [[`late:${name}`, { ...input, imports }] as const]
  })
  return { ...inputs, ...Object.fromEntries(links) }
}

function packageOf(name: string): Part | undefined {
  return isPackage(name) ? packages[name] : undefined
}

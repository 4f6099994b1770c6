import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..', '..', '..')
const latePart = join(import.meta.dirname, 'latePart.ts')

/** The packages that a function loads when it first uses them, with the part of its bundle that has them. */
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

/** The names that our code imports from each of these packages. */
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

/** Replaces these packages with a module that loads their part when code uses it. */
export const lateParts: Plugin = {
  name: 'late-parts',
  setup(build) {
    const imported = importedNames()
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'late', sideEffects: false }))
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      if (!isPackage(path)) return undefined
      const lines = [...(imported.get(path) ?? [])].map(
        // Some names are reserved words.
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

/** Makes `part:<name>` a module with all names that our code imports from the packages of this part. */
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

/** The parts that a bundle loads, by esbuild's metafile. */
export function partsOf({ inputs }: Metafile['outputs'][string]): readonly Part[] {
  const used = Object.entries(inputs).filter(
    ([file, { bytesInOutput }]) => bytesInOutput > 0 && file.startsWith('late:'),
  )
  return parts.filter((part) => used.some(([file]) => packageOf(file.slice('late:'.length)) === part))
}

/** The inputs of esbuild's metafile, with an import added from each replaced package to its part. */
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

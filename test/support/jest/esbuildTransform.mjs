import { createHash } from 'node:crypto'
import { transformSync, version } from 'esbuild'
import { isBundled, nameInBundle } from './bundledSources.mjs'

/** Jest transform: strips types with esbuild, the bundler of the functions, so that tests run the code that ships. */
export default {
  process(source, filename) {
    if (isBundled(filename)) return { code: fromBundle(source, filename) }
    const { code, map } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node24',
      sourcefile: filename,
      sourcemap: true,
    })
    return { code, map }
  },
  getCacheKey(source, filename) {
    return createHash('sha256')
      .update(version)
      .update(filename)
      .update(source)
      .update(isBundled(filename) ? import.meta.dirname : '')
      .digest('hex')
  },
}

/** A module that takes what the source exports from the bundle of this test file. */
function fromBundle(source, filename) {
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs', target: 'node24' })
  const [, exported = ''] = /__export\(\w+, \{([^}]*)\}\);/.exec(code) ?? []
  const names = exported.split(',').flatMap((member) => member.split(':')[0].trim() || [])
  return [
    `import sources from '${import.meta.dirname}/sources.mjs'`,
    `const loaded = sources['${nameInBundle(filename)}']()`,
    ...names.map((name) => `const _${name} = loaded.${name}`),
    `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} }`,
  ].join('\n')
}

import { createHash } from 'node:crypto'
import { transformSync, version } from 'esbuild'

/** Jest transform: strips types with esbuild, the bundler of the functions, so that tests run the code that ships. */
export default {
  process(source, filename) {
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
    return createHash('sha256').update(version).update(filename).update(source).digest('hex')
  },
}

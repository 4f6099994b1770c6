import { join } from 'node:path'
import { manifest } from '../../manifest.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Name -> TypeScript file of every deployed function: the manifest's rows, and the functions that the stacks themselves need. */
export const entryPoints: Readonly<Record<string, string>> = {
  ...Object.fromEntries(manifest.map(({ name }) => [name, join(root, 'functions', name, 'handler.ts')])),
  'token-public-key': join(root, 'infra', 'aws', 'constructs', 'data', 'tokenPublicKey', 'handler.ts'),
  'release-check': join(root, 'infra', 'aws', 'constructs', 'functions', 'releaseCheck', 'handler.ts'),
}

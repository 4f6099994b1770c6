import { ids } from '../adapters/random/ids.ts'
import type { KnownBrowserDeps } from '../users/password/knownBrowser.ts'
import { clock } from './clock.ts'
import { knownBrowserKeys } from './secrets.ts'

/** Everything that knowing browsers again needs. In a file of its own, so that other functions do not bundle the SDK of Secrets Manager. */
export const knownBrowserDeps: KnownBrowserDeps = { browserKeys: knownBrowserKeys(), ids, clock }

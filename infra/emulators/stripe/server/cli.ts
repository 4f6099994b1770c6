#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Older versions of Node have no cache, and cannot load the rest.
if (nodeModule.enableCompileCache === undefined) {
  console.error(`The Stripe emulator needs Node 22.3 or newer: this is ${process.versions.node}`)
  process.exit(2)
}
// Loaded after the cache is enabled, so that the second start compiles nothing.
nodeModule.enableCompileCache()
await import('./runStripe.ts')

#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Loaded after the cache is enabled, so that the second start compiles nothing.
enableCompileCache()
await import('./runStripe.ts')

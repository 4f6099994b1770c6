export { type Catalog, fillCatalog } from './core/fillCatalog.ts'
export { type CoreOptions, createStripeCore, type StripeCore } from './core/stripeCore.ts'
export { type EmulatorStorage, openEmulatorStorage } from './server/emulatorStorage.ts'
export {
  type EmulatorControl,
  type Requests,
  type SeenRequest,
  type StripeEmulator,
  type StripeEmulatorOptions,
  startStripeEmulator,
} from './server/startStripeEmulator.ts'
export { type StripeServer, type StripeServerOptions, startStripeServer } from './server/startStripeServer.ts'
export type { AccountSettings } from './state/context.ts'
export { type CoveredOperation, coverage } from './wire/routes.ts'

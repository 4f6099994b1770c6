export {
  type ConsoleClient,
  type ConsoleClientOptions,
  createConsoleClient,
  type SignInMethods,
} from './createConsoleClient.ts'
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  isApiError,
  NotSignedInError,
  SignInRefusedError,
  UnknownSignInError,
  UserChangedError,
} from './errors.ts'
export type { BodyOf, OperationId, OptionsOf } from './operation.ts'
export { paginate } from './paginate.ts'
export type * from './schema.ts'
export type { Answer } from './send.ts'
export type { EndReason } from './session.ts'
export type { DeviceCode, DeviceSignInOptions, SignInOptions } from './signInOptions.ts'
export { memoryStorage, storedTokens, type TextStorage, type TokenStore, type Tokens } from './tokenStore.ts'
export type { TokenUser } from './userOf.ts'

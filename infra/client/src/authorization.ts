import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  authorizationServer,
} from './authorizationServer.ts'
import { signInDevice } from './deviceSignIn.ts'
import { type SignIns, signInsWith } from './signIn.ts'
import type { DeviceSignInOptions } from './signInOptions.ts'
import type { TextStorage, Tokens } from './tokenStore.ts'

/** What signs users in and out, and refreshes their tokens. */
export interface Authorization {
  readonly server: AuthorizationServer
  readonly signIns: SignIns
  readonly signInDevice: (options: DeviceSignInOptions) => Promise<Tokens>
}

/** @param options `storage` keeps a sign-in until the browser returns */
export function openAuthorization({
  storage,
  ...options
}: AuthorizationServerOptions & { readonly storage: TextStorage }): Authorization {
  const server = authorizationServer(options)
  return {
    server,
    signIns: signInsWith(server, options.redirectUri, storage),
    signInDevice: (given) => signInDevice(server, given),
  }
}

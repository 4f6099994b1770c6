import type { UserId } from '../core/ids.ts'
import type { LoginProblem } from './authorizeStep.ts'
import type { SecretDigest } from './ports.ts'

/** Somebody signed in at the hosted pages. Times are Unix milliseconds. */
export interface Session {
  userId: UserId
  /** When the password was asked for. */
  createdAt: number
  validUntil: number
}

/** Sessions by the digest of the secret in the cookie. */
export interface Sessions {
  /** Also a session that is over: whether it stands is for the reader to judge. */
  find(digest: SecretDigest): Promise<Session | undefined>
  start(digest: SecretDigest, session: Session): Promise<void>
  /** Safe to repeat. */
  end(digest: SecretDigest): Promise<void>
}

/** What a user has allowed a client. */
export interface Consent {
  /** Space-separated; empty where the client asked for none. */
  scope: string
  /** Unix milliseconds. */
  givenAt: number
}

/** The consent that each user has given to each client. */
export interface Consents {
  find(userId: UserId, clientId: string): Promise<Consent | undefined>
  /** Replaces what was allowed before. */
  give(userId: UserId, clientId: string, consent: Consent): Promise<void>
}

export interface Credentials {
  email: string
  password: string
  /** The client's address as API Gateway reports it. */
  sourceIp: string
}

/**
 * Whose credentials these are, or why nobody is signed in. Takes as long for an unknown address as for a wrong password.
 * @throws CommonError `service_unavailable`
 */
export type SignIn = (credentials: Credentials) => Promise<UserId | LoginProblem>

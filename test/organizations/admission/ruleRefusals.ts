import { errorBody } from '../../support/errorBody.ts'

/** A second factor, since long ago. */
export const required = { second_factor_required_from: '2026-01-01T00:00:00Z' }
export const noFactor = {
  status: 403,
  body: errorBody(
    'This organization requires a second factor; add one to your account, then sign in again',
    'second_factor_required',
  ),
}
export const noClient = {
  status: 403,
  body: errorBody('This organization does not allow this application', 'client_not_allowed'),
}
const ruled = 'Sign in again: the sign-in rules of this organization require it'
/** The answer that asks for another sign-in: `asked` are the parameters of its challenge. */
export const challenge = (asked: string) => ({
  status: 401,
  body: errorBody(ruled, 'insufficient_user_authentication'),
  headers: {
    'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="${ruled}", ${asked}`,
  },
})

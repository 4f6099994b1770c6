/** The part of simple-oauth2 that the tests use; the package brings no types. */
declare module 'simple-oauth2' {
  export interface AccessToken {
    token: Record<string, unknown>
    refresh(): Promise<AccessToken>
  }
  export class AuthorizationCode {
    constructor(options: {
      client: { id: string; secret: string }
      auth: { tokenHost: string; tokenPath: string }
      options: { bodyFormat: 'form' | 'json'; authorizationMethod: 'header' | 'body' }
    })
    getToken(parameters: { code: string; redirect_uri: string }): Promise<AccessToken>
  }
}

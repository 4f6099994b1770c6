/** What a whole sign-in needs of simple-oauth2 beside the exchange; the package brings no types. */
declare module 'simple-oauth2' {
  export interface AccessToken {
    revoke(type: 'access_token' | 'refresh_token'): Promise<unknown>
  }
  export interface AuthorizationCode {
    authorizeURL(parameters: Record<string, string>): string
  }
}

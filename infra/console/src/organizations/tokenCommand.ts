import type { NewApiClient } from '../app/types.ts'

/** A command for a shell that gets an access token for an API client. Ids and secrets have no character that a shell or a form reads. */
export function tokenCommand(
  tokenUrl: URL,
  { client_id, client_secret }: Pick<NewApiClient, 'client_id' | 'client_secret'>,
): string {
  const form = { grant_type: 'client_credentials', client_id, client_secret: client_secret ?? '' }
  return ['curl', `'${tokenUrl.href}'`, '-d', `'${new URLSearchParams(form).toString()}'`].join(' ')
}

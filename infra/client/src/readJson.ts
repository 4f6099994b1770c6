import { apiErrorOf } from './apiErrorOf.ts'

/**
 * The JSON of a success; undefined if it has no body.
 * @throws an `ApiError` for a refusal, and for a success that is not the API's
 */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  const json = text === '' ? undefined : parse(text)
  if (!response.ok || (text !== '' && json === undefined)) throw apiErrorOf(response, json)
  return json
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

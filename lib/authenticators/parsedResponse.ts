/** What a browser sent as JSON; undefined for what is none: that is no response of a passkey. */
export function parsedResponse(response: string): unknown {
  try {
    return JSON.parse(response)
  } catch {
    return undefined
  }
}

/** A function that does nothing. Cold starts of all others are compared with it. */
export const handler = async () => ({ statusCode: 200 })

/** The function that does nothing: what every other one is measured against. */
export const handler = async () => ({ statusCode: 200 })

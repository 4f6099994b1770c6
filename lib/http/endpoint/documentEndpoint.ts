import { answerPublicDocument, publicDocument } from '../answer/publicDocument.ts'
import type { HttpDeps, HttpHandler } from '../contract.ts'
import { pipeline } from './pipeline.ts'

/**
 * A Lambda handler that answers the same document to everyone, pages of every origin included. The answer may be cached for 5 minutes.
 * @param value JSON, valid by the 200 of its contract
 */
export function documentEndpoint({ clock, logger }: Pick<HttpDeps, 'clock' | 'logger'>, value: unknown): HttpHandler {
  const document = publicDocument(value)
  return pipeline({ clock, logger }, { readers: 'any', handle: async (event) => answerPublicDocument(document, event) })
}

import type { Clock } from '../../../lib/core/clock.ts'
import type { EmulatedProvider } from '../../emulators/openid/startOpenIdServer.ts'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'
import { headerOf, type WireRequest } from '../http/apiGatewayEvent.ts'
import { PROVIDER_PATH } from './openProvider.ts'

/** The endpoints of the emulated OpenID provider. */
export function providerControls(
  provider: Pick<EmulatedProvider, 'handle'>,
  clock: Pick<Clock, 'sync'>,
): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  async function control(request: WireRequest): Promise<WireAnswer> {
    // Its tokens expire by the clock of the stack, which a developer may have moved.
    await clock.sync()
    const answer = await provider.handle({
      path: request.url.slice(PROVIDER_PATH.length),
      authorization: headerOf(request, 'authorization'),
      body: Buffer.from(request.body).toString('utf8'),
    })
    return { ...answer, body: Buffer.from(answer.body) }
  }
  const own = [
    'GET /.well-known/openid-configuration',
    'GET /jwks',
    'GET /authorize',
    'POST /token',
    'GET /logout-token',
  ]
  return Object.fromEntries(own.map((route) => [route.replace(' ', ` ${PROVIDER_PATH}`), control]))
}

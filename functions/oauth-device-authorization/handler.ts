import { tokenEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { isPublicClient } from '../../lib/oauth/client/authenticateClient.ts'
import { requestDevice } from '../../lib/oauth/device/requestDevice.ts'
import { requestDeviceDepsFromEnvironment } from '../../lib/runtime/devices.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = requestDeviceDepsFromEnvironment()
const endpoint = {
  ...openHttpDeps(),
  isPublicClient: (clientId: string) => isPublicClient(deps.clients, clientId),
}

/** POST /api/oauth/device_authorization: begins the sign-in of a device without a browser. */
export const handler = tokenEndpoint(contract, endpoint, async ({ body, sourceIp }) => {
  const { client_id: clientId, client_secret: clientSecret, scope } = body
  const codes = await requestDevice(deps, { clientId, clientSecret, scope, sourceIp })
  return {
    status: 200,
    body: {
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_uri: codes.verificationUri,
      expires_in: codes.expiresInSeconds,
      interval: codes.intervalSeconds,
    },
  }
})

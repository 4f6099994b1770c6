import express from 'express'
import { requires } from './guide.mjs'

/** A product server whose requests name the organization in a header, where a real one knows it from its session. */
const app = express()
app.use((request, _response, next) => {
  request.organizationId = request.get('x-organization')
  next()
})
app.get('/ota', requires('ota'), (_request, response) => void response.send('served'))
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))

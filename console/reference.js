// Draws the API's reference from its OpenAPI document by Swagger UI, which the page loads before
// this. Must stay true: it shows, and sends nothing.

const { classList, dataset } = document.documentElement
classList.toggle('dark-mode', dataset.mantineColorScheme === 'dark')

const answer = await fetch('/v1/openapi.json')
const spec = await answer.json()
// Nothing is sent, so nobody signs in here; descriptions say what each path needs.
delete spec.servers
delete spec.components.securitySchemes
// Every GET has one that says nothing else.
for (const path of Object.values(spec.paths)) delete path.head

window.SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'example',
  supportedSubmitMethods: [],
  validatorUrl: null,
})

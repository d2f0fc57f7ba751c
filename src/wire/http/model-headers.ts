// Headers by which some server chooses the model, or where a request goes on to.

/** Their value is a model's name, or that of a deployment. */
export const NAMING_HEADERS: readonly string[] = [
  'ai-language-model-id',
  'ai-model-id',
  'x-ms-oai-image-generation-deployment',
  'azureml-model-deployment',
  'x-amzn-sagemaker-target-model',
  'x-amzn-sagemaker-inference-component',
  'x-gateway-model-name',
  'x-litellm-model',
  'x-gateway-model-name-rewrite',
  'x-model',
  'x-model-id',
  'x-model-name',
]

/** They leave the choice to a stored configuration, or lead to another server. */
export const HIDING_HEADERS: readonly string[] = [
  'x-portkey-config',
  'x-portkey-custom-host',
  'helicone-fallbacks',
  'helicone-target-url',
  'x-gateway-destination-endpoint',
]

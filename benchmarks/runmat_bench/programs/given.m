function value = given(name, default)
% GIVEN  A parameter from the environment variable NAME, or its default.
%   Numbers are whole and positive; anything else is an error.
text = getenv(name);
if isempty(text)
    value = default;
elseif ischar(default)
    value = text;
else
    value = str2double(text);
    if ~(value >= 1 && value == floor(value) && value < Inf)
        error('bench:given', '%s must be a positive whole number.', name);
    end
end
end

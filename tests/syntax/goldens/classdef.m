classdef (Sealed) Stack < handle & matlab.mixin.Copyable
    % STACK  Last in, first out.
    %
    %   s = Stack(1, 2) starts with two items.
    properties (SetAccess = private)
        Items (1,:) cell = {}
        Limit (1,1) double {mustBePositive, mustBeInteger} = 100
    end
    properties (Dependent)
        Count
    end
    events
        Overflow
    end
    enumeration
        Small (10), Large (1000)
    end
    methods
        function obj = Stack(varargin)
            obj @ handle();
            push @ pkg.Base(obj, [a; @sin]); x = {obj @sin};
            obj.Items = varargin;
        end
        function n = get.Count(obj), n = numel(obj.Items); end
        function push(obj, item)
            if obj.Count >= obj.Limit
                notify(obj, 'Overflow');
                error('Stack:full', 'No room for item %d.', obj.Count + 1);
            end
            obj.Items{end + 1} = item;
        end
    end
    methods (Static, Access = {?Stack, ?StackTest})
        s = loadobj(s)
        [a, b] = split(s, varargin);
    end
end

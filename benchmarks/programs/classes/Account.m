classdef Account < handle
  properties
    owner = '';
    balance = 0;
    history = {};
  end
  properties (Access = private)
    fee = 1;
  end
  methods
    function obj = Account(owner, balance)
      if nargin > 0
        obj.owner = owner;
        obj.balance = balance;
      end
    end
    function deposit(obj, amount)
      obj.check(amount);
      obj.balance = obj.balance + amount;
      obj.history{end+1} = amount;
    end
    function withdraw(obj, amount)
      check(obj, amount);
      if amount + obj.fee > obj.balance
        error('Account:funds', 'Insufficient funds');
      end
      obj.balance = obj.balance - amount - obj.fee;
      obj.history{end+1} = -amount;
    end
    function check(obj, amount)
      if ~isnumeric(amount) || amount <= 0
        error('Account:amount', 'Bad amount');
      end
    end
    function transfer(obj, other, amount)
      obj.withdraw(amount);
      other.deposit(amount);
    end
  end
end

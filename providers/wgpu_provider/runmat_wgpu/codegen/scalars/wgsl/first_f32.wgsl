fn m_pow2i(k:i32)->f32 { return bitcast<f32>(u32(k+127)<<23u); }             // -126<=k<=127

fn exp_f32(x:f32)->f32 {
  let xc=clamp(x,-110.0,100.0);
  let kf=floor(xc*1.44269504+0.5);
  let r=opaque_f32(xc-kf*0.693359375)+kf*2.12194440e-4;
  let z=r*r;
  let p=((((1.9875691500e-4*r+1.3981999507e-3)*r+8.3334519073e-3)*r+4.1665795894e-2)*r+1.6666665459e-1)*r+5.0000001201e-1;
  let y=opaque_f32(p*z+r)+1.0;
  let k=i32(kf); let k1=k>>1u; let k2=k-k1;
  var v=opaque_f32(y*m_pow2i(k1))*m_pow2i(k2);
  v=select(v,inf_f32(),x>88.7228394);
  v=select(v,0.0,x< -103.972084);
  return select(v,x,isnan_f32(x));
}

fn log_f32(x:f32)->f32 {
  let sub=x<1.17549435e-38;
  let xs=select(x,x*33554432.0,sub);
  let ix=bitcast<u32>(xs)+0x004afb0du;           // 0x3f800000-0x3f3504f3
  let k=i32(ix>>23u)-127-select(0,25,sub);
  let m=bitcast<f32>((ix&0x007fffffu)+0x3f3504f3u);
  let f=m-1.0; let s=f/(2.0+f); let z=s*s; let w=z*z;
  let R=z*(0.66666662693+w*0.28498786688)+w*(0.40000972152+w*0.24279078841);
  let h=0.5*f*f; let dk=f32(k);
  var v=opaque_f32(opaque_f32(s*(h+R)+dk*9.0580006145e-06)-h)+f;
  v=opaque_f32(v)+dk*6.9313812256e-01;
  v=select(v,nan_f32(),x<0.0);
  v=select(v,-inf_f32(),x==0.0);
  return select(v,x,isnan_f32(x)||x==inf_f32());
}

fn m_mulhi(a:u32,b:u32)->u32 { let al=a&0xffffu; let ah=a>>16u; let bl=b&0xffffu; let bh=b>>16u; let ll=al*bl; let lh=al*bh; let hl=ah*bl; let mid=(ll>>16u)+(lh&0xffffu)+(hl&0xffffu); return ah*bh+(lh>>16u)+(hl>>16u)+(mid>>16u); }

struct TR { r:f32, q:i32 };

fn m_tr_big(x:f32)->TR {                          // Payne-Hanek, any finite x
  var T=array<u32,6>(0x28be60dbu,0x9391054au,0x7f09d5f4u,0x7d4d3770u,0x36d8a566u,0x4f10e410u);
  let b=bitcast<u32>(x); let ia=((b&0x007fffffu)<<8u)|0x80000000u; let ee=u32(i32((b>>23u)&0xffu)-126);
  let i=ee>>5u; let e=ee&31u;
  var hi=0u; if (i>0u) { hi=T[i-1u]; } var mid=T[i]; var lo=T[i+1u]; let tm=T[min(i+2u,5u)];
  if (e>0u) { hi=(hi<<e)|(mid>>(32u-e)); mid=(mid<<e)|(lo>>(32u-e)); lo=(lo<<e)|(tm>>(32u-e)); }
  var phi=m_mulhi(ia,lo); let l=ia*mid; var plo=phi+l; phi=m_mulhi(ia,mid)+select(0u,1u,plo<l); phi=phi+ia*hi;
  var q=i32(phi>>30u); phi=phi&0x3fffffffu;
  var neg=false; if ((phi&0x20000000u)!=0u) { phi=phi-0x40000000u; q=q+1; neg=true; plo=~plo+1u; phi=~phi+select(0u,1u,plo==0u); }
  if (phi==0u && plo==0u) { return TR(0.0,q); }
  var sh=countLeadingZeros(phi); var top=phi<<(sh&31u);
  if (sh==32u) { let s2=countLeadingZeros(plo); top=plo<<s2; sh=32u+s2; } else if (sh>0u) { top=top|(plo>>(32u-sh)); }
  var r=f32(top)*m_pow2i(-30-i32(sh))*1.57079633; if (neg) { r=-r; }
  if ((b>>31u)==1u) { r=-r; q=-q; }
  return TR(r,q);
}

fn m_tr(x:f32)->TR {
  if (abs(x)<1000.0) {
    let n=floor(x*0.636619772+0.5);
    let r=opaque_f32(opaque_f32(x-n*1.5703125)-n*4.837512969970703125e-4)-n*7.54978995489188e-8;
    return TR(r,i32(n));
  }
  return m_tr_big(x);
}

fn m_ks(x:f32)->f32 { let z=x*x; return opaque_f32(((-1.9515295891e-4*z+8.3321608736e-3)*z-1.6666654611e-1)*z*x)+x; }

fn m_kc(x:f32)->f32 { let z=x*x; return opaque_f32(((2.443315711809948e-5*z-1.388731625493765e-3)*z+4.166664568298827e-2)*z*z-0.5*z)+1.0; }

fn sin_f32(x:f32)->f32 { if (isnan_f32(x)||isinf_f32(x)) { return nan_f32(); } let t=m_tr(x); let v=select(m_ks(t.r),m_kc(t.r),(t.q&1)==1); return select(v,-v,(t.q&2)==2); }

fn cos_f32(x:f32)->f32 { if (isnan_f32(x)||isinf_f32(x)) { return nan_f32(); } let t=m_tr(x); let v=select(m_kc(t.r),m_ks(t.r),(t.q&1)==1); return select(v,-v,((t.q+1)&2)==2); }

fn tanh_f32(x:f32)->f32 {
  let a=abs(x); let z=x*x;
  let s=opaque_f32(((((-5.70498872745e-3*z+2.06390887954e-2)*z-5.37397155531e-2)*z+1.33314422036e-1)*z-3.33332819422e-1)*z*x)+x;
  let e=exp_f32(2.0*min(a,20.0)); let b=1.0-2.0/(e+1.0);
  return select(select(s,select(b,-b,x<0.0),a>=0.625),x,isnan_f32(x));
}
